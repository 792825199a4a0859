import type { Directives } from './directives.ts'
import { parseHeaderDirectives, parseModelDirectives } from './parse-directives.ts'

/**
 * What this request asks of this account. The header wins over the model name, and both are
 * silent for the accounts that an `only` leaves out.
 */
export function readDirectives(
  model: string,
  header: string | undefined,
  accountId: string,
): Directives {
  const directives = { ...parseModelDirectives(model), ...parseHeaderDirectives(header ?? '') }
  if (directives.only !== undefined && directives.only !== accountId) return {}
  return directives.slow ? { delay: 400, pace: 80, ...directives } : directives
}
