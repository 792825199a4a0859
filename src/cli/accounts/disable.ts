import { setAccountEnabled } from '../../stores/account-states.ts'
import type { Invocation } from '../command.ts'
import { actOnStore } from '../audit/act.ts'
import { assertStorePersists } from '../use-store.ts'
import { describeAccount } from './describe.ts'
import { findAccount, readForAccounts } from './read.ts'

/** `dragoman accounts disable ID`. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const configuration = await readForAccounts(invocation)
  const account = await findAccount(invocation, configuration, 'accounts disable')
  assertStorePersists(configuration, 'set enabled: false for the account in the configuration')
  const act = {
    action: 'account.disable',
    target: { type: 'account', id: account.id },
    after: { enabled: false },
  }
  const state = await actOnStore(configuration, act, (store) =>
    setAccountEnabled(store, account.id, false),
  )
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeAccount(account, state)))
  terminal.say(
    `The account "${account.id}" is disabled. Running gateways stop using it within two seconds; exchanges in flight end normally.`,
  )
  return 0
}
