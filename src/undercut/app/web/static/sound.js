// Sound, made here: the rustle of a card, a soft tone when it is one's turn, three tones at the end of a deal.

let context = null;

/** The browser lets a page sound only after its person has clicked or pressed a key. */
const ready = () => {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context.state === "running";
};

const faded = (start, length, loudness) => {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness, start + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  gain.connect(context.destination);
  return gain;
};

/** A short rustle: noise through a band that narrows. */
const rustle = (wait = 0, loudness = 0.09) => {
  const start = context.currentTime + wait, length = 0.09;
  const noise = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  noise.getChannelData(0).forEach((_, at, samples) => { samples[at] = Math.random() * 2 - 1; });
  const source = Object.assign(context.createBufferSource(), { buffer: noise });
  const band = Object.assign(context.createBiquadFilter(), { type: "bandpass" });
  band.frequency.setValueAtTime(2600, start);
  band.frequency.exponentialRampToValueAtTime(900, start + length);
  source.connect(band).connect(faded(start, length, loudness));
  source.start(start);
};

const tone = (pitch, wait = 0, loudness = 0.06) => {
  const start = context.currentTime + wait, length = 0.35;
  const source = Object.assign(context.createOscillator(), { type: "sine" });
  source.frequency.value = pitch;
  source.connect(faded(start, length, loudness));
  source.start(start);
  source.stop(start + length);
};

const tones = (...pitches) => pitches.forEach((pitch, place) => tone(pitch, 0.13 * place));

const SOUNDS = {
  card: () => rustle(),
  deal: () => { for (let card = 0; card < 8; card += 1) rustle(0.06 * card, 0.06); },
  turn: () => tone(523),
  win: () => tones(523, 659, 784),
  loss: () => tones(392, 330),
};

/** Play a sound by its name. */
export const play = (name) => { if (ready()) SOUNDS[name]?.(); };
