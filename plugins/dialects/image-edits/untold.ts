import type { ChosenModel } from './models.ts'

const formats: readonly string[] = ['response_format']

/**
 * Fields that an account is not told. Newer models refuse to be told how images are awaited, so one
 * that stands for a legacy model is not: the gateway gives each image in the field that is due.
 */
export function untoldFields({ kind }: ChosenModel, isLegacyThere: boolean): readonly string[] {
  return kind === 'legacy' && !isLegacyThere ? formats : []
}
