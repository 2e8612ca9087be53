// Ids: a prefix that says what the thing is, and 12 characters of an alphabet without look-alikes.
import { customRandom } from 'nanoid';

export type IdPrefix = 's' | 'c' | 't' | 'a';

/** Without 0 O 1 I l and other characters that are mistaken for one another; 31^12 is about 59 bits. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const LENGTH = 12;
const NONCE_LENGTH = 20;
const SHAPE = new RegExp(`^[a-z]_[${ALPHABET}]{${LENGTH}}$`);

export type MakeId = (prefix: IdPrefix) => string;

/** A maker of ids from a source of random bytes, which is given from outside to keep this folder pure. */
export function createIdMaker(randomBytes: (count: number) => Uint8Array): MakeId {
  const body = customRandom(ALPHABET, LENGTH, randomBytes);
  return (prefix) => `${prefix}_${body()}`;
}

/** A maker of secrets of 20 characters (about 99 bits) from the same kind of source. */
export function createNonceMaker(randomBytes: (count: number) => Uint8Array): () => string {
  return customRandom(ALPHABET, NONCE_LENGTH, randomBytes);
}

/** Whether a text has the shape of an id with that prefix. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && SHAPE.test(text);
}
