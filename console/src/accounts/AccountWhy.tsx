import './accounts.css'
import { Countdown } from '../ui/Time.tsx'
import type { AccountState } from './looks.ts'
import { sentenceOf } from './sentences.ts'

/** Why an account does not serve all calls, and when it is tried again. */
export function AccountWhy({ account }: { readonly account: AccountState }) {
  const words = sentenceOf(account)
  if (words === undefined) return null
  const { state, stateUntil } = account
  // A place comes free whenever a call ends.
  const until = state === 'FULL' ? null : stateUntil
  return (
    <>
      {words}
      {until && (
        <>
          {' '}
          <span className="nowrap">
            Tried again in <Countdown until={until} />.
          </span>
        </>
      )}
    </>
  )
}
