import { watchedKeys } from '../limits.ts'
import { GatewayError } from '../../contract/errors.ts'
import type { FormPartHead } from './part-head.ts'

/**
 * Parts that the gateway itself reads stand once, as texts and under their plain names: otherwise
 * the gateway and the account could read different values. Throws `GatewayError` 400.
 */
export function checkWatched(
  { name, filename }: FormPartHead,
  before: readonly FormPartHead[],
): void {
  const meant = plain(name)
  if (!watchedKeys.has(meant)) return
  if (name !== meant)
    throw refused(`The part \`${meant}\` must be named so, without escapes.`, meant)
  if (filename !== undefined) throw refused(`The part \`${meant}\` must be a text, no file.`, meant)
  if (before.some((part) => part.name === name)) {
    throw new GatewayError('duplicate_parameter', `\`${meant}\` stands more than once.`, {
      param: meant,
    })
  }
}

/** What a reader may take a name for that decodes, trims or folds it, or takes it for a list. */
function plain(name: string): string {
  const decoded = name.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return decoded
    .replaceAll(/["'\\]/g, '')
    .replace(/\[.*$/s, '')
    .trim()
    .toLowerCase()
}

function refused(message: string, param: string): GatewayError {
  return new GatewayError('invalid_value', message, { param })
}
