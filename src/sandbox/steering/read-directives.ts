import type { Directives } from './directives.ts'
import { parseHeaderDirectives, parseModelDirectives } from './parse-directives.ts'

/**
 * The directives of a request that apply to this account. The header overrides the model name. With
 * `only`, they apply to that account alone. Throws a 400 for a directive that is unknown or wrong.
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
