import { lossesSchema } from '../../configuration/schema.ts'
import type { LossPolicy } from '../../generate/losses.ts'
import { UsageError } from '../command.ts'

/** What `--losses` says. Throws `UsageError`. */
export function parseLosses(text: string): LossPolicy {
  const { success, data } = lossesSchema.safeParse(text)
  if (success) return data
  throw new UsageError(`--losses takes ${lossesSchema.options.join(', ')}, but got "${text}".`)
}
