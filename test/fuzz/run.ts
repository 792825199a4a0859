import { availableParallelism } from 'node:os'

import { dialectNames } from '../translate/clients/index.ts'
import { caseOf } from './case.ts'
import { corpusOf } from './corpus.ts'
import { complaintsOf } from './judge.ts'
import { type FuzzOptions, readOptions } from './options.ts'
import { runAll } from './pool.ts'
import { bodyComplaints } from './bodies.ts'
import { requestComplaints } from './requests.ts'
import { printed, shrink } from './shrink.ts'

/** Cases that one worker runs before another takes over with an empty heap. */
const sliceSize = 12_500

/** Failures that are told in full: most have one cause. */
const mostTold = 10

/** Requests go over sockets, so they take longer than replies. */
const mostRequests = 50_000

const options = readOptions(process.argv.slice(2))
process.exitCode = options.number === undefined ? await runMany(options) : await runOne(options)

async function runMany({ seed, count, accounts, client }: FuzzOptions): Promise<number> {
  const started = performance.now()
  const workers = Math.min(2, availableParallelism())
  console.log(`seed ${seed}: ${count} broken replies of each of ${accounts.join(', ')}`)
  const series = accounts.flatMap((account) =>
    Array.from({ length: Math.ceil(count / sliceSize) }, (_, slice) => ({
      seed,
      account,
      client,
      from: slice * sliceSize,
      to: Math.min(count, (slice + 1) * sliceSize),
    })),
  )
  const failures = await runAll(series, workers, ({ account, from, to }) => {
    console.log(`  ${account} ${from} to ${to}, ${secondsSince(started)} s`)
  })
  const requests = Math.min(count, mostRequests)
  console.log(`${requests} wild requests`)
  failures.push(...(await requestComplaints(seed, requests)))
  console.log(`${requests} odd bodies`)
  failures.push(...(await bodyComplaints(seed, requests)))
  for (const failure of failures.slice(0, mostTold)) console.log(`\n${failure}`)
  console.log(`${failures.length} failures, ${secondsSince(started)} s`)
  return failures.length === 0 ? 0 : 1
}

async function runOne({ seed, accounts, client, number = 0 }: FuzzOptions): Promise<number> {
  const [account = dialectNames[0]] = accounts
  const asking = client ?? dialectNames[number % dialectNames.length]!
  const one = caseOf(seed, { account, client: asking, number }, corpusOf(account))
  const complaints = await complaintsOf(one)
  console.log(printed(complaints.length > 0 ? await shrink(one) : one, seed))
  console.log(complaints.join('\n') || 'nothing is wrong')
  return complaints.length === 0 ? 0 : 1
}

function secondsSince(started: number): number {
  return Math.round((performance.now() - started) / 1_000)
}
