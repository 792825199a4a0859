import { type Log, describeError } from '../lib/log.ts'
import { type AccountStates, followAccountStates } from '../stores/account-states.ts'
import type { Store } from '../stores/store.ts'

/** Follows which accounts are switched off in the store, and tells operators of it. */
export async function followSwitchedAccounts(store: Store, log: Log): Promise<AccountStates> {
  const states = await followAccountStates({
    store,
    onError: (error, isKnown) =>
      log.error(isKnown ? stayAsKnown : stayAsConfigured, describeError(error)),
  })
  if (states.switchedOff.size > 0) {
    log.warn('accounts are switched off', { accounts: [...states.switchedOff] })
  }
  states.onChange(({ off, on }) => log.info('accounts have been switched', { off, on }))
  return states
}

const stayAsKnown = 'the store failed; accounts stay switched as they were last known'
const stayAsConfigured =
  'the store cannot tell which accounts are switched off; all are as the configuration says'
