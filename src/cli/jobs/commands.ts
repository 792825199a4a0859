import { defined } from '../../lib/json/object.ts'
import { noneMatch } from '../bindings/describe.ts'
import { CommandError, type Invocation } from '../command.ts'
import { choiceOf, requireId, requireReason } from '../operand.ts'
import { limitOf, printList } from '../print-list.ts'
import { requireRemote } from '../remote/address.ts'
import { doAct, readPages, useAdmin } from '../remote/admin.ts'
import { adminClientOf } from '../remote/client.ts'
import { acts, lists, queries } from '../remote/operations.ts'
import { jobRow, jobTitles, printJob } from './describe.ts'

const states = ['queued', 'in_progress', 'completed', 'failed', 'cancelled'] as const

/** `dragoman jobs list`. */
export function list(invocation: Invocation): Promise<number> {
  const { key: keyId, account: accountId } = invocation.options
  const state = choiceOf(invocation, 'state', states)?.toUpperCase()
  const filter = defined({ keyId, accountId, state })
  const limit = limitOf(invocation)
  return useAdmin(invocation, {}, (admin) =>
    printList(invocation, readPages(admin, lists.jobs, { filter, limit }), {
      titles: jobTitles,
      row: jobRow,
      none: noneMatch('jobs', { keyId, accountId }),
    }),
  )
}

/** `dragoman jobs show ID`. */
export async function show(invocation: Invocation): Promise<number> {
  const id = requireId(invocation, 'job', 'jobs show')
  const named = { id, keyId: invocation.options['key'] }
  const { job } = await useAdmin(invocation, {}, (admin) => admin.request(queries.job, named))
  if (!job) throw new CommandError(`There is no job "${id}".`)
  printJob(invocation, job)
  return 0
}

/** `dragoman jobs refresh ID --url URL`: the gateway asks the account, as a poll of the client does. */
export async function refresh(invocation: Invocation): Promise<number> {
  requireRemote(invocation, 'jobs refresh')
  const { terminal, options } = invocation
  const id = requireId(invocation, 'job', 'jobs refresh')
  const input = defined({ id, keyId: options['key'], reason: options['reason'] })
  const { job, stale } = await doAct(adminClientOf(invocation), acts.refreshJob, input)
  if (job) printJob(invocation, job)
  if (!stale) return 0
  const account = job ? `The account "${job.accountId}"` : 'The account'
  terminal.say(`${account} does not answer: this is the last known state.`)
  return 1
}

/** `dragoman jobs forget ID --reason TEXT`. */
export async function forget(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'job', 'jobs forget')
  const reason = requireReason(invocation, 'jobs forget')
  const input = defined({ id, keyId: options['key'], reason })
  const local = { instead: 'ask the running gateway with --url' }
  const forgotten = await useAdmin(invocation, local, (admin) =>
    doAct(admin, acts.forgetJob, input),
  )
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ id: forgotten.id }))
  terminal.say(`The job "${id}" is forgotten. The account keeps its own.`)
  return 0
}
