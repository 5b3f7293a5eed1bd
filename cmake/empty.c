// A library made of another one's objects alone needs a source of its own.
typedef int hwEmpty;
