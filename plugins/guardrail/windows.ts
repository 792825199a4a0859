import { GatewayError } from '../../src/contract/errors.ts'
import { spelledOut } from './spelling.ts'
import { Stretch } from './stretch.ts'

/** In characters. Longer texts are looked at in windows, so that none takes a long turn of the event loop. */
export const windowLength = 64 * 1024

/** In characters. A longer match across two windows may not be found. */
const longestMatch = 4_096

/** In characters: how much of the text before a window a pattern sees. */
const contextLength = 1_024

/** In characters. No text for a reader has so many invisible ones between two others. */
const mostInvisible = 64 * 1024

/** A character that joins the one before it when a text is spelled out. */
const joining =
  /^[\p{M}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\u3131-\u318e\uff9e-\uffdc\udc00-\udfff]/u

/** The end of the part of a text that patterns see before a window. */
export function contextOf(text: string): string {
  return text.slice(-contextLength)
}

/**
 * The window of a text at a position; `before` is the text in front of it, `cuts` are the positions where parts of a
 * message begin, from `nextCut` on. Throws `GatewayError` 422 if it ends in so
 * many invisible characters that patterns cannot look behind them.
 */
export function windowAt(
  text: string,
  at: number,
  before: string,
  cuts: readonly number[] = [],
  nextCut = 0,
): Stretch {
  const end = cutNear(text, at + windowLength)
  const after = overlapAt(text, end)
  const own: number[] = []
  for (let cut = nextCut; cuts[cut]! <= end + after.length; cut++) own.push(cuts[cut]! - at)
  return new Stretch(before, text.slice(at, end), after, own)
}

/** The text behind a window that has the rest of the longest match, however it is spelled. */
function overlapAt(text: string, from: number): string {
  let end = from
  for (let length = 0; length < longestMatch && end < text.length;) {
    if (end - from > mostInvisible) throw unseen()
    const next = cutNear(text, end + longestMatch)
    length += spelledOut(text.slice(end, next)).length
    end = next
  }
  return text.slice(from, end)
}

/** A position near another one, if there is one, where a text can be spelled out in two parts. */
function cutNear(text: string, near: number): number {
  if (near >= text.length) return text.length
  for (let at = near; at > near - 64; at--) {
    if (!joining.test(text.slice(at, at + 2))) return at
  }
  // Half a character would not be read.
  return /[\udc00-\udfff]/.test(text.charAt(near)) ? near - 1 : near
}

function unseen(): GatewayError {
  const message = 'The text has more invisible characters in a row than this service looks behind.'
  return new GatewayError('plugin_rejected', message, { retry: false })
}
