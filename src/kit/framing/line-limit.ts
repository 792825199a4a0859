import { GatewayError } from '../../contract/errors.ts'

/** The most lines of one event. Reading millions of lines takes seconds, and other calls wait meanwhile. */
const mostLines = 100_000

/** In bytes. Shorter events are not counted, so that most streams do not pay for the count. */
const uncountedBytes = 64 * 1024

/**
 * Bounds the lines of the event that a stream is in the middle of. Each of LF and CR ends a line, and both may end
 * one.
 */
export class LineLimit {
  #feeds = 0
  #returns = 0

  /** Notes a chunk after which `pendingBytes` of an event are there. Throws `GatewayError` for too many lines. */
  add(chunk: Buffer, pendingBytes: number): void {
    if (pendingBytes <= uncountedBytes) return
    this.#feeds += countWithin(chunk, '\n')
    this.#returns += countWithin(chunk, '\r')
    if (Math.max(this.#feeds, this.#returns) > mostLines) throw tooManyLines()
  }

  /** The event is whole. */
  reset(): void {
    this.#feeds = 0
    this.#returns = 0
  }
}

/** Throws `GatewayError` for the data of an event with too many lines. */
export function checkLines(data: string | Buffer): void {
  if (Math.max(countWithin(data, '\n'), countWithin(data, '\r')) > mostLines) throw tooManyLines()
}

/** How often a character is in a text, up to one more than the limit. */
function countWithin(text: Buffer | string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= mostLines; count++) {
    at = text.indexOf(character, at + 1)
  }
  return count
}

function tooManyLines(): GatewayError {
  return new GatewayError('upstream_invalid_reply', 'A frame of the stream has too many lines.')
}
