import type { LimitsConfig } from './config.ts'
import { defined } from './defined.ts'
import type { Problem } from './problems.ts'

type Limits = Required<LimitsConfig>
type Given = { readonly [Name in keyof Limits]?: number | undefined }

/** The limits, complete. Parts are no larger than their form where nobody has said how large. */
export function completeLimits(given: Given, defaults: Limits): Limits {
  const limits = { ...defaults, ...defined(given) }
  if (given.formPartBytes !== undefined) return limits
  return { ...limits, formPartBytes: Math.min(limits.formPartBytes, limits.formBytes) }
}

/** Limits of which one lets in what another one never does. */
export function checkLimits({ formBytes, formPartBytes, spoolBytes }: Limits): Problem[] {
  const problems: Problem[] = []
  if (spoolBytes < formBytes) {
    problems.push({
      path: 'limits.spoolBytes',
      message: `is ${spoolBytes} bytes, and a form may have ${formBytes} (formBytes)`,
      fix: 'make spoolBytes as large as formBytes at least',
    })
  }
  if (formPartBytes > formBytes) {
    problems.push({
      path: 'limits.formPartBytes',
      message: `is ${formPartBytes} bytes, and the whole form may have ${formBytes} (formBytes)`,
      fix: 'make formPartBytes as large as formBytes at most',
    })
  }
  return problems
}
