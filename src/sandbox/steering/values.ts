import { badRequest } from '../problem.ts'

/** The type of a directive's value. `count` is a whole number from 0, `status` one from 200. */
export type DirectiveKind = 'flag' | 'count' | 'status' | 'text' | 'optional-text'

/** Parses the value of a directive; `undefined` for one without `=`. Throws a 400. */
export function readValue(
  name: string,
  kind: DirectiveKind,
  written: string | undefined,
): true | number | string {
  switch (kind) {
    case 'flag':
      if (written !== undefined) throw badRequest(`sandbox: directive ${name} takes no value`)
      return true
    case 'count':
      return wholeNumber(name, written, 0, 100_000_000)
    case 'status':
      return wholeNumber(name, written, 200, 599)
    case 'text':
      if (!written) throw badRequest(`sandbox: directive ${name} needs a value`)
      return decode(written)
    case 'optional-text':
      return decode(written ?? '')
  }
}

function wholeNumber(
  name: string,
  written: string | undefined,
  least: number,
  most: number,
): number {
  const value = Number(written)
  if (!written || !/^\d+$/.test(written) || value < least || value > most)
    throw badRequest(`sandbox: directive ${name} needs a whole number from ${least} to ${most}`)
  return value
}

// A gateway may already have decoded the model name: then a `%` stands for itself.
function decode(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
