import type { OneAccount } from './types.ts'

/** The question that the gates answer, by what the account serves now. */
export function headlineOf({ serves, state }: Pick<OneAccount, 'serves' | 'state'>): string {
  if (serves === 'NOTHING') return 'Why it gets no calls'
  if (serves === 'SOME') return 'Why it gets only some calls'
  return state === 'FULL' ? 'Why it gets no more calls' : 'What lets calls through'
}
