import type { Ended } from '../contract/exchange.ts'

/** The dialect that the account asked last was asked in, where it is not the client's. */
export function translatedTo({
  candidate,
  progress,
}: Pick<Ended, 'candidate' | 'progress'>): string | undefined {
  // The last candidate may have been declined, so that another account was the last one asked.
  if (!candidate || candidate.native || candidate.account !== progress.account) return undefined
  return candidate.dialect.name
}
