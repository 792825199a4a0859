import type { Ended } from '../contract/exchange.ts'

/** The dialect of the last request to an account, if it differs from the client's dialect. */
export function translatedTo({ progress }: Pick<Ended, 'progress'>): string | undefined {
  const { candidate } = progress.attempt ?? {}
  return candidate && !candidate.native ? candidate.dialect.id : undefined
}
