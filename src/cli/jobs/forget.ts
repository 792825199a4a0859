import { defined } from '../../lib/json/object.ts'
import { audited, beforeActingOn } from '../audit/act.ts'
import type { Invocation } from '../command.ts'
import { requireId, requireReason } from '../operand.ts'
import { doAct } from '../remote/act.ts'
import { isRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import { acts } from '../remote/operations.ts'
import { assertStorePersists, mayContainRecords, readForStore, useStore } from '../use-store.ts'
import { jobsIn, noJob, requireJob } from './stored.ts'

/** `dragoman jobs forget ID --reason TEXT`. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const id = requireId(invocation, 'job', 'jobs forget')
  const named = { id, keyId: options['key'] }
  const reason = requireReason(invocation, 'jobs forget')
  const forgotten = isRemote(invocation)
    ? await doAct(adminClientOf(invocation), acts.forgetJob, defined({ ...named, reason }))
    : await forgetHere(invocation, named, reason)
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ id: forgotten.id }))
  terminal.say(`The job "${id}" is forgotten. The account keeps its own.`)
  return 0
}

async function forgetHere(
  invocation: Invocation,
  named: Parameters<typeof requireJob>[1],
  reason: string,
): Promise<{ readonly id: string }> {
  const configuration = await readForStore(invocation)
  assertStorePersists(configuration, 'ask the running gateway with --url')
  if (!mayContainRecords(configuration)) throw noJob(named.id)
  return await useStore(configuration, async (store) => {
    const jobs = jobsIn(store)
    const act = { action: 'job.forget', target: { type: 'job', id: named.id }, reason }
    const job = await beforeActingOn(store, act, () => requireJob(jobs, named))
    const { id, keyId, accountId, status, progress } = job
    const before = { keyId, accountId, status, progress }
    await audited(store, { ...act, before }, () => jobs.remove(job))
    return { id }
  })
}
