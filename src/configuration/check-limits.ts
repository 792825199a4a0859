import type { LimitsConfig } from './config.ts'
import { defined } from '../lib/json/object.ts'
import type { Problem } from '../contract/problems.ts'

type Limits = Required<LimitsConfig>
type ConfiguredLimits = { readonly [Name in keyof Limits]?: number | undefined }

/**
 * Completes the limits with the defaults. Defaults of forms adapt to configured limits: a part fits
 * into a form, and a form fits into the spool. All in bytes, except `attempts`.
 */
export function completeLimits(configured: ConfiguredLimits, defaults: Limits): Limits {
  const { formPartBytes: part = 0, spoolBytes: spool = Infinity } = configured
  const formBytes = configured.formBytes ?? Math.min(Math.max(defaults.formBytes, part), spool)
  return {
    ...defaults,
    formPartBytes: Math.min(defaults.formPartBytes, formBytes),
    spoolBytes: Math.max(defaults.spoolBytes, formBytes),
    ...defined(configured),
    formBytes,
  }
}

/** Finds limits that contradict each other. */
export function checkLimits({ formBytes, formPartBytes, spoolBytes }: Limits): Problem[] {
  const problems: Problem[] = []
  if (spoolBytes < formBytes) {
    problems.push({
      path: 'limits.spoolBytes',
      message: `is ${spoolBytes} bytes, less than formBytes (${formBytes})`,
      fix: 'set spoolBytes to at least formBytes',
    })
  }
  if (formPartBytes > formBytes) {
    problems.push({
      path: 'limits.formPartBytes',
      message: `is ${formPartBytes} bytes, more than formBytes (${formBytes})`,
      fix: 'set formPartBytes to at most formBytes',
    })
  }
  return problems
}
