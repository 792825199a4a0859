import { accountStates, servings } from '../../admin/accounts/state.ts'
import { defined } from '../../lib/json/object.ts'
import type { Invocation } from '../command.ts'
import { enumChoiceOf, reasonFor, requireId } from '../operand.ts'
import { limitOf, mapPages, printList } from '../print-list.ts'
import { requireRemote } from '../remote/address.ts'
import { doAct, readPages, useAdmin } from '../remote/admin.ts'
import { adminClientOf } from '../remote/client.ts'
import { quoted } from '../remote/failures.ts'
import type { AccountNode } from '../remote/nodes.ts'
import { acts, lists } from '../remote/operations.ts'
import { describeAccount, whyOf } from './describe.ts'

/** `dragoman accounts list`. */
export function list(invocation: Invocation): Promise<number> {
  const limit = limitOf(invocation)
  // An unknown state would look like one that no account has.
  const state = enumChoiceOf(invocation, 'state', accountStates)
  const serves = enumChoiceOf(invocation, 'serves', servings)
  const filter = defined({ provider: invocation.options['provider'], state, serves })
  return useAdmin(invocation, {}, (admin) => {
    const pages = readPages(admin, lists.accounts, { filter, limit })
    return printList(invocation, mapPages(pages, describeAccount), {
      titles: ['ID', 'PROVIDER', 'STATE', 'SERVES', 'FROM', 'IN FLIGHT', 'UNTIL', 'WHY'],
      row: (one) => [
        one.id,
        one.provider,
        one.state,
        one.serves,
        one.from ?? 'configuration',
        String(one.inFlight ?? ''),
        one.until ?? '',
        whyOf(one),
      ],
      none:
        Object.keys(filter).length > 0
          ? 'No accounts match.'
          : 'No accounts exist. Add them to accounts in the configuration.',
    })
  })
}

/** `dragoman accounts disable ID`. */
export async function disable(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'account', 'accounts disable')
  const input = { id, reason: reasonFor(invocation, 'accounts disable') }
  const local = { instead: 'set enabled: false for the account in the configuration' }
  const { account, running } = await useAdmin(invocation, local, (admin) =>
    doAct(admin, acts.disableAccount, input),
  )
  const described = { ...describeDone(id, account), ...(running !== null && { running }) }
  if (options['json'] !== undefined) terminal.out(JSON.stringify(described))
  const calls = running ? ` Calls under way there end normally: ${running}.` : ''
  terminal.say(
    `The account "${id}" is disabled. All processes stop using it within two seconds.${calls}`,
  )
  return 0
}

/** `dragoman accounts enable ID`. Does not override `enabled: false` in the configuration. */
export async function enable(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'account', 'accounts enable')
  const input = defined({ id, reason: options['reason'] })
  const local = { instead: 'set enabled in the configuration' }
  const { account } = await useAdmin(invocation, local, (admin) =>
    doAct(admin, acts.enableAccount, input),
  )
  if (options['json'] !== undefined) terminal.out(JSON.stringify(describeDone(id, account)))
  terminal.say(`The account "${id}" is enabled. All processes use it again within two seconds.`)
  return 0
}

/** `dragoman accounts reset ID --url URL`: closes circuits, and ends pauses and refusals. */
export async function reset(invocation: Invocation): Promise<number> {
  requireRemote(invocation, 'accounts reset')
  const { terminal, options } = invocation
  const id = requireId(invocation, 'account', 'accounts reset')
  const { dialect, model, reason } = options
  const client = adminClientOf(invocation)
  // Each option names a part of one of the two.
  const circuits =
    model === undefined || dialect !== undefined
      ? await doAct(client, acts.resetCircuit, defined({ id, dialect, reason }))
      : undefined
  const pauses =
    dialect === undefined || model !== undefined
      ? await doAct(client, acts.clearCoolDown, defined({ id, model, reason }))
      : undefined
  const { account = null } = pauses ?? circuits ?? {}
  const ended = { circuits: circuits?.ended ?? 0, pauses: pauses?.ended ?? 0 }
  if (options['json'] !== undefined) {
    terminal.out(JSON.stringify({ ...describeDone(id, account), ended }))
  }
  terminal.say(
    `The account "${id}" is reset in all processes that answered: circuits closed: ${ended.circuits}, pauses and refusals ended: ${ended.pauses}.`,
  )
  return 0
}

/** An account after an act on it. Null: only its id is known. */
function describeDone(id: string, account: AccountNode | null) {
  return account ? describeAccount(account) : { id }
}

/** The description of a test's outcome. */
const meanings: Readonly<Record<string, string>> = {
  ACCEPTED: 'accepts its credential',
  REFUSED: 'refuses its credential',
  INCONCLUSIVE: 'says nothing about its credential',
  GONE: 'was changed meanwhile',
}

/** `dragoman accounts test ID --url URL`: only an accepted credential is a success. */
export async function test(invocation: Invocation): Promise<number> {
  requireRemote(invocation, 'accounts test')
  const { terminal, options } = invocation
  const id = requireId(invocation, 'account', 'accounts test')
  const input = defined({ id, reason: options['reason'] })
  const done = await doAct(adminClientOf(invocation), acts.testAccount, input)
  const { outcome, dialect, why: message, remedy: fix, durationMs } = done
  if (options['json'] !== undefined) {
    const result = { id, outcome: outcome.toLowerCase(), dialect, message, durationMs }
    terminal.out(JSON.stringify({ ...result, ...(fix !== null && { fix }) }))
  }
  const how = dialect === null ? '' : ` (${quoted(dialect)}, ${durationMs} ms)`
  const reason = message === null ? '' : ` ${quoted(message)}`
  const remedy = fix === null ? '' : `\nfix: ${quoted(fix)}`
  const meaning = meanings[outcome] ?? quoted(outcome)
  terminal.say(`The account "${id}" ${meaning}${how}.${reason}${remedy}`)
  return outcome === 'ACCEPTED' ? 0 : 1
}
