import type { LimitsConfig } from './config.ts'
import { defined } from '../lib/json/object.ts'
import type { Problem } from '../contract/problems.ts'

type Limits = Required<LimitsConfig>
type Given = { readonly [Name in keyof Limits]?: number | undefined }

/**
 * The limits, complete. Those of forms that nobody has set follow the ones that somebody has: parts
 * fit into their form, and forms into the spool.
 */
export function completeLimits(given: Given, defaults: Limits): Limits {
  const { formPartBytes: part = 0, spoolBytes: spool = Infinity } = given
  const formBytes = given.formBytes ?? Math.min(Math.max(defaults.formBytes, part), spool)
  return {
    ...defaults,
    formPartBytes: Math.min(defaults.formPartBytes, formBytes),
    spoolBytes: Math.max(defaults.spoolBytes, formBytes),
    ...defined(given),
    formBytes,
  }
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
