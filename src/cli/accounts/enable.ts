import { enableStoredAccount } from '../../stores/stored-accounts.ts'
import { setAccountEnabled } from '../../stores/account-states.ts'
import { CommandError, type Invocation } from '../command.ts'
import { actOnStore } from '../audit/act.ts'
import { assertStorePersists, readForStore } from '../use-store.ts'
import { isRemote } from '../remote/address.ts'
import { describeAccount } from './describe.ts'
import { findAccount } from './read.ts'

/** `dragoman accounts enable ID`. Does not override `enabled: false` in the configuration. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).enableAccount(invocation)
  const { terminal, options } = invocation
  const configuration = await readForStore(invocation)
  const account = await findAccount(invocation, configuration, 'accounts enable')
  if (!account.enabled && account.from !== 'store') {
    throw new CommandError(
      `The configuration disables the account "${account.id}": enable it in ${configuration.file}.`,
    )
  }
  assertStorePersists(configuration, 'set enabled in the configuration')
  const act = {
    action: 'account.enable',
    target: { type: 'account', id: account.id },
    after: { enabled: true },
    reason: options['reason'],
  }
  const state = await actOnStore(configuration, act, async (store) => {
    if (!account.enabled) await enableStoredAccount(store, account.id)
    return await setAccountEnabled(store, account.id, true)
  })
  const enabled = { ...account, enabled: true }
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeAccount(enabled, state)))
  terminal.say(
    `The account "${account.id}" is enabled. Running gateways use it again within two seconds.`,
  )
  return 0
}
