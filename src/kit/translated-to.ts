import type { Ended } from '../contract/exchange.ts'

/** The dialect that the account asked last was asked in, where it is not the client's. */
export function translatedTo({
  candidate,
  progress,
}: Pick<Ended, 'candidate' | 'progress'>): string | undefined {
  // The last candidate may have been declined, so that another account was the last one asked.
  const { account } = progress.attempt?.candidate ?? {}
  if (!candidate || candidate.native || candidate.account !== account) return undefined
  return candidate.dialect.id
}
