/** Records of a store that has been in use for a long time. */

import { newJobId } from '../../../src/jobs/ids.ts'
import { type Job, jobSeconds } from '../../../src/jobs/job.ts'
import { createJobs, jobsNamespace } from '../../../src/jobs/jobs.ts'
import {
  type Binding,
  bindingKeyOf,
  bindingsNamespace,
  ownedMs,
} from '../../../src/stores/bindings.ts'
import { createAdminToken } from '../../../src/stores/admin-tokens.ts'
import { writeAlias } from '../../../src/stores/aliases.ts'
import { createAuditLog } from '../../../src/audit/log.ts'
import { createSessions } from '../../../src/admin/sessions.ts'
import { createKey } from '../../../src/stores/keys.ts'
import type { Store } from '../../../src/stores/store.ts'
import { accountId, sharedModel } from './accounts.ts'
import { inBatches } from './batches.ts'

/** How many records there are. The gateway itself limits aliases to 1,000. */
export const counts = {
  bindings: 50_000,
  jobs: 10_000,
  audit: 10_000,
  keys: 10_000,
  aliases: 1_000,
  sessions: 1_000,
  adminTokens: 1_000,
} as const

/** Fills a store. */
export async function fillStore(store: Store): Promise<void> {
  await addBindings(store)
  await addJobs(store)
  await addAudit(store)
  await addAccess(store)
}

async function addBindings(store: Store): Promise<void> {
  const records = store.records<Binding>(bindingsNamespace)
  await inBatches(counts.bindings, (from, size) => {
    const expiresAt = Date.now() + ownedMs
    return records.setMany(
      Array.from({ length: size }, (_, index) => ({
        id: bindingKeyOf({
          kind: 'response',
          keyId: `key-${index % 40}`,
          id: `resp_${String(from + index).padStart(48, '0')}`,
        }),
        value: { account: accountId(index), model: 'gpt-5', expiresAt, chainUntil: expiresAt },
        ttlMs: ownedMs,
      })),
    )
  })
}

async function addJobs(store: Store): Promise<void> {
  const log = { error: console.error, warn: console.error }
  const all = createJobs({ records: store.records<Job>(jobsNamespace, { listed: true }), log })
  const now = Date.now()
  const createdAt = Math.floor(now / 1_000)
  await inBatches(counts.jobs, (from, size) =>
    Promise.all(
      Array.from({ length: size }, (_, index) =>
        all.create({
          id: newJobId(now + from + index),
          kind: 'video',
          keyId: `key-${index % 40}`,
          accountId: accountId(index),
          dialect: 'videos',
          model: 'camera',
          requested: 'camera',
          upstreamId: `vid_${from + index}`,
          status: 'queued',
          progress: 0,
          createdAt,
          expiresAt: createdAt + jobSeconds,
          prompt: 'a cat that runs after a ball on a beach '.repeat(25),
          seconds: '4',
          size: '720x1280',
        }),
      ),
    ),
  )
}

async function addAudit(store: Store): Promise<void> {
  const audit = createAuditLog({ store })
  await inBatches(counts.audit, (from, size) =>
    Promise.all(
      Array.from({ length: size }, (_, index) =>
        audit.note({
          actor: { kind: 'token', id: 'ops', role: 'admin' },
          address: '127.0.0.1',
          agent: 'bench',
          action: 'account.disable',
          target: { type: 'account', id: accountId(from + index) },
          reason: 'It answers slowly.',
          result: 'DONE',
        }),
      ),
    ),
  )
}

/** Keys, tokens, sessions and aliases. */
async function addAccess(store: Store): Promise<void> {
  const number = (index: number) => String(index).padStart(5, '0')
  await inBatches(counts.keys, (from, size) =>
    all(from, size, (index) => createKey(store, { id: `key-${number(index)}`, models: ['*'] })),
  )
  await inBatches(counts.adminTokens, (from, size) =>
    all(from, size, (index) =>
      createAdminToken(store, { id: `token-${number(index)}`, role: 'viewer', createdBy: 'ops' }),
    ),
  )
  const sessions = createSessions({
    store,
    rightsOf: async () => ({ role: 'viewer' }),
    now: Date.now,
  })
  await inBatches(counts.sessions, (from, size) =>
    all(from, size, () =>
      sessions
        .prepare(
          { kind: 'token', id: 'ops', hash: 'none' },
          { role: 'viewer' },
          { address: '127.0.0.1', agent: 'bench', use: 'console' },
        )
        .begin(),
    ),
  )
  await inBatches(counts.aliases, (from, size) =>
    all(from, size, (index) =>
      writeAlias(
        store,
        { name: `alias-${number(index)}`, model: sharedModel, changedBy: 'token:ops' },
        undefined,
      ),
    ),
  )
}

function all(from: number, size: number, write: (index: number) => Promise<unknown>) {
  return Promise.all(Array.from({ length: size }, (_, index) => write(from + index)))
}
