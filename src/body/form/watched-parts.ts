import type { MemberRules } from '../members.ts'
import { GatewayError } from '../../contract/errors.ts'
import type { ParsedPartHead } from './part-head.ts'

/**
 * Checks that a part with a text of the operation occurs once, as a text, under its exact name;
 * otherwise the gateway and the account could read different values. `before` are the earlier parts.
 * Throws `GatewayError` 400.
 */
export function checkWatchedPart(
  { name, filename }: ParsedPartHead,
  before: readonly ParsedPartHead[],
  { scalars }: Pick<MemberRules, 'scalars'>,
): void {
  const normalized = scalars.has(name) ? name : normalizeName(name)
  if (!scalars.has(normalized)) return
  if (name !== normalized)
    throw refused(
      `The part \`${normalized}\` must have exactly this name, without escapes.`,
      normalized,
    )
  if (filename !== undefined)
    throw refused(`The part \`${normalized}\` must be a text, not a file.`, normalized)
  if (before.some((part) => part.name === name)) {
    throw new GatewayError('duplicate_parameter', `\`${normalized}\` occurs more than once.`, {
      param: normalized,
    })
  }
}

/** The name as a parser would see it that decodes, trims and case-folds names or strips `[]`. */
function normalizeName(name: string): string {
  const decoded = name.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return decoded
    .replaceAll(/["'\\]/g, '')
    .replace(/\[.*$/s, '')
    .trim()
    .toUpperCase()
    .toLowerCase()
}

function refused(message: string, param: string): GatewayError {
  return new GatewayError('invalid_value', message, { param })
}
