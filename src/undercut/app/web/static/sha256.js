// SHA-256 and HMAC (FIPS 180-4, RFC 2104). Browsers offer them only to pages from this computer or over https.

const isPrime = (number) => {
  for (let factor = 2; factor * factor <= number; factor += 1) if (number % factor === 0) return false;
  return true;
};

const primes = (count) => {
  const found = [];
  for (let number = 2; found.length < count; number += 1) if (isPrime(number)) found.push(number);
  return found;
};

const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0; // its first 32 bits

const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64; // bytes

const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** The bytes with a 1, zeros and their length in bits, up to whole blocks. */
const pad = (bytes) => {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, bytes.length * 8);
  return new DataView(padded.buffer);
};

const schedule = (view, start) => {
  const words = Array.from({ length: 16 }, (_, place) => view.getInt32(start + 4 * place));
  for (let place = 16; place < 64; place += 1) {
    const [early, late] = [words[place - 15], words[place - 2]];
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words.push((words[place - 16] + low + words[place - 7] + high) | 0);
  }
  return words;
};

const mix = (state, words) => {
  let [a, b, c, d, e, f, g, h] = state;
  words.forEach((word, place) => {
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + ROUNDS[place] + word) | 0;
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  });
  return [a, b, c, d, e, f, g, h].map((word, place) => (word + state[place]) | 0);
};

/** The 32 bytes of a digest. */
const digest = (bytes) => {
  const view = pad(bytes);
  let state = START;
  for (let start = 0; start < view.byteLength; start += BLOCK) state = mix(state, schedule(view, start));
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => out.setInt32(4 * place, word));
  return new Uint8Array(out.buffer);
};

const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const hex = (bytes) => [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
const encode = (text) => new TextEncoder().encode(text);

/** The digest of a text, in hexadecimal. */
export const sha256 = (text) => hex(digest(encode(text)));

/** The digest of a text with a key, in hexadecimal. */
export const hmac = (key, text) => {
  const given = encode(key);
  const padded = new Uint8Array(BLOCK);
  padded.set(given.length > BLOCK ? digest(given) : given);
  const inner = digest(join(padded.map((each) => each ^ 0x36), encode(text)));
  return hex(digest(join(padded.map((each) => each ^ 0x5c), inner)));
};
