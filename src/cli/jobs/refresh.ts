import { defined } from '../../lib/json/object.ts'
import type { Invocation } from '../command.ts'
import { requireId } from '../operand.ts'
import { doAct } from '../remote/act.ts'
import { requireRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import { acts } from '../remote/operations.ts'
import { showJob } from './describe.ts'

/** `dragoman jobs refresh ID --url URL`: the gateway asks the account, as a poll of the client does. */
export async function run(invocation: Invocation): Promise<number> {
  requireRemote(invocation, 'jobs refresh')
  const { terminal, options } = invocation
  const id = requireId(invocation, 'job', 'jobs refresh')
  const input = defined({ id, keyId: options['key'], reason: options['reason'] })
  const { job, stale } = await doAct(adminClientOf(invocation), acts.refreshJob, input)
  if (job) showJob(invocation, job)
  if (!stale) return 0
  const account = job ? `The account "${job.accountId}"` : 'The account'
  terminal.say(`${account} does not answer: this is the last known state.`)
  return 1
}
