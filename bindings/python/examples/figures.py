"""Figures of the examples: written where HAWSER_FIGURES says, or beside the script; without matplotlib there are none."""
import os


def show(name, x, y, along, up):
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 4), constrained_layout=True)
    axes.plot(x, y)
    axes.set_xlabel(along)
    axes.set_ylabel(up)
    axes.grid(True, alpha=0.3)
    folder = os.environ.get("HAWSER_FIGURES", os.path.dirname(os.path.abspath(__file__)))
    figure.savefig(os.path.join(folder, name + ".svg"))
    pyplot.close(figure)
