// Sounds, all made here: thrusters, knocks, alarms, the water itself. Browsers allow sound after the first key or click.

import { clamp } from "../math/numbers";
import { FrameFlag, VehicleFlag, type Frame } from "../net/frame";
import type { AlertMessage } from "../net/messages";

/** Hz that a propeller hums at: its blades passing. */
export function bladeFrequency(speed: number, blades: number): number {
    return (Math.abs(speed) / (2 * Math.PI)) * blades;
}

const ALARM_EVERY = 1.6; // s

export class Sound {
    muted = false;
    private context: AudioContext | null = null;
    private master: GainNode | null = null;
    private hum: OscillatorNode | null = null;
    private humGain: GainNode | null = null;
    private wash: BiquadFilterNode | null = null;
    private washGain: GainNode | null = null;
    private noise: AudioBuffer | null = null;
    private volume = 0.6;
    private touching = false;
    private alarm: AlertMessage | null = null;
    private nextAlarm = 0;
    /** of what goes on, by its code */
    private readonly levels = new Map<string, AlertMessage["level"]>();

    /** `caption` gets in words what sounds; it is called also when sound is off. */
    constructor(private readonly caption: (text: string) => void) {}

    /** At the first gesture. */
    unlock(): void {
        if (this.context) {
            void this.context.resume();
            return;
        }
        if (typeof AudioContext === "undefined") return;
        const context = new AudioContext();
        this.context = context;
        this.master = context.createGain();
        this.master.connect(context.destination);
        this.noise = context.createBuffer(1, 2 * context.sampleRate, context.sampleRate);
        const samples = this.noise.getChannelData(0);
        for (let i = 0; i < samples.length; ++i) samples[i] = 2 * Math.random() - 1;

        const water = this.loopNoise(220, 0.5);
        water.gain.gain.value = 0.05;
        const wash = this.loopNoise(700, 0.8);
        this.wash = wash.filter;
        this.washGain = wash.gain;
        this.hum = context.createOscillator();
        this.hum.type = "sawtooth";
        const soften = context.createBiquadFilter();
        soften.type = "lowpass";
        soften.frequency.value = 420;
        this.humGain = context.createGain();
        this.humGain.gain.value = 0;
        this.hum.connect(soften).connect(this.humGain).connect(this.master);
        this.hum.start();
        this.applyVolume();
    }

    private loopNoise(frequency: number, q: number): { filter: BiquadFilterNode; gain: GainNode } {
        const context = this.context!;
        const source = context.createBufferSource();
        source.buffer = this.noise;
        source.loop = true;
        const filter = context.createBiquadFilter();
        filter.type = "bandpass";
        filter.frequency.value = frequency;
        filter.Q.value = q;
        const gain = context.createGain();
        gain.gain.value = 0;
        source.connect(filter).connect(gain).connect(this.master!);
        source.start();
        return { filter, gain };
    }

    setVolume(volume: number, muted: boolean): void {
        this.volume = clamp(volume, 0, 1);
        this.muted = muted;
        this.applyVolume();
    }

    private applyVolume(): void {
        if (this.context && this.master) this.master.gain.setTargetAtTime(this.muted ? 0 : this.volume, this.context.currentTime, 0.05);
    }

    /** After each picture. */
    update(frame: Frame | null, blades: number, now: number): void {
        const paused = !frame || (frame.flags & FrameFlag.PAUSED) !== 0;
        const thrusters = frame?.thrusters[0];
        let fastest = 0;
        let effort = 0;
        for (let i = 0; thrusters && i + 3 < thrusters.length; i += 4) {
            fastest = Math.max(fastest, Math.abs(thrusters[i + 3]!));
            effort += Math.abs(thrusters[i + 1]!);
        }
        const work = paused || !thrusters ? 0 : clamp(effort / (thrusters.length / 4), 0, 1);
        if (this.context && this.hum && this.humGain && this.wash && this.washGain) {
            const at = this.context.currentTime;
            this.hum.frequency.setTargetAtTime(clamp(bladeFrequency(fastest, blades), 20, 400), at, 0.06);
            this.humGain.gain.setTargetAtTime(0.05 * Math.sqrt(work), at, 0.08);
            this.wash.frequency.setTargetAtTime(400 + 900 * work, at, 0.1);
            this.washGain.gain.setTargetAtTime(0.22 * work, at, 0.1);
        }
        const hit = ((frame?.vehicles[0]?.flags ?? 0) & VehicleFlag.COLLISION) !== 0;
        if (hit && !this.touching) this.knock();
        this.touching = hit;
        if (this.alarm && now >= this.nextAlarm && !paused) {
            this.nextAlarm = now + ALARM_EVERY;
            this.beep([740, 554], 0.14);
            this.caption(`alarm: ${this.alarm.text}`);
        }
    }

    /** Warnings sound once, alarms until they are over. A newer number of what goes on is no reason to sound again. */
    alert(alert: AlertMessage, now: number): void {
        const before = this.levels.get(alert.code);
        if (alert.over) this.levels.delete(alert.code);
        else this.levels.set(alert.code, alert.level);
        if (!alert.over && alert.level === "alarm") {
            this.alarm = alert;
            if (before !== "alarm") this.nextAlarm = now;
            return;
        }
        if (this.alarm?.code === alert.code) this.alarm = null;
        // what eases to a warning is no news either
        if (alert.over || alert.level !== "warning" || before === "warning" || before === "alarm") return;
        this.beep([660], 0.12);
        this.caption(`chime: ${alert.text}`);
    }

    silence(): void {
        this.alarm = null;
        this.levels.clear();
    }

    private knock(): void {
        this.caption("knock: the vehicle touches something");
        const context = this.context;
        if (!context || !this.master || !this.noise) return;
        const source = context.createBufferSource();
        source.buffer = this.noise;
        const filter = context.createBiquadFilter();
        filter.type = "lowpass";
        filter.frequency.value = 260;
        const gain = context.createGain();
        gain.gain.setValueAtTime(0.8, context.currentTime);
        gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.35);
        source.connect(filter).connect(gain).connect(this.master);
        source.start(0, Math.random());
        source.stop(context.currentTime + 0.4);
    }

    private beep(tones: readonly number[], length: number): void {
        const context = this.context;
        if (!context || !this.master) return;
        tones.forEach((tone, i) => {
            const start = context.currentTime + i * length * 1.15;
            const source = context.createOscillator();
            source.type = "triangle";
            source.frequency.value = tone;
            const gain = context.createGain();
            gain.gain.setValueAtTime(0, start);
            gain.gain.linearRampToValueAtTime(0.2, start + 0.015);
            gain.gain.exponentialRampToValueAtTime(0.001, start + length);
            source.connect(gain).connect(this.master!);
            source.start(start);
            source.stop(start + length + 0.05);
        });
    }
}
