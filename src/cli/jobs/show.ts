import type { Invocation } from '../command.ts'
import { requireId } from '../operand.ts'
import { isRemote } from '../remote/address.ts'
import { adminClientOf } from '../remote/client.ts'
import type { JobNode } from '../remote/nodes.ts'
import { queries } from '../remote/operations.ts'
import { mayContainRecords, readForStore, useStore } from '../use-store.ts'
import { showJob } from './describe.ts'
import { jobNode, jobsIn, noJob, requireJob } from './stored.ts'

/** `dragoman jobs show ID`. */
export async function run(invocation: Invocation): Promise<number> {
  const id = requireId(invocation, 'job', 'jobs show')
  const named = { id, keyId: invocation.options['key'] }
  const job = isRemote(invocation)
    ? (await adminClientOf(invocation).request(queries.job, named)).job
    : await readHere(invocation, named)
  if (!job) throw noJob(id)
  showJob(invocation, job)
  return 0
}

async function readHere(
  invocation: Invocation,
  named: Parameters<typeof requireJob>[1],
): Promise<JobNode | undefined> {
  const configuration = await readForStore(invocation)
  if (!mayContainRecords(configuration)) return undefined
  return await useStore(configuration, async (store) =>
    jobNode(await requireJob(jobsIn(store), named)),
  )
}
