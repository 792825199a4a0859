import { enableStoredAccount } from '../../stores/stored-accounts.ts'
import { setAccountEnabled } from '../../stores/account-states.ts'
import { CommandError, type Invocation } from '../command.ts'
import { actOnStore, beforeActing } from '../audit/act.ts'
import { assertStorePersists, readForStore } from '../use-store.ts'
import { isRemote } from '../remote/address.ts'
import { requireId } from '../operand.ts'
import { describeAccount } from './describe.ts'
import { findAccount, switchedBefore } from './read.ts'

/** `dragoman accounts enable ID`. Does not override `enabled: false` in the configuration. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).enableAccount(invocation)
  const { terminal, options } = invocation
  const configuration = await readForStore(invocation)
  const id = requireId(invocation, 'account', 'accounts enable')
  const reason = options['reason']
  const named = { action: 'account.enable', target: { type: 'account', id }, reason }
  const account = await beforeActing(configuration, named, async () => {
    const found = await findAccount(invocation, configuration, id)
    if (found.enabled || found.from === 'store') return found
    throw new CommandError(
      `The configuration disables the account "${id}": enable it in ${configuration.file}.`,
    )
  })
  assertStorePersists(configuration, 'set enabled in the configuration')
  const before = await switchedBefore(configuration, account)
  const act = { ...named, before, after: { enabled: true } }
  const state = await actOnStore(configuration, act, async (store) => {
    if (!account.enabled) await enableStoredAccount(store, id)
    return await setAccountEnabled(store, id, true)
  })
  const enabled = { ...account, enabled: true }
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeAccount(enabled, state)))
  terminal.say(`The account "${id}" is enabled. Running gateways use it again within two seconds.`)
  return 0
}
