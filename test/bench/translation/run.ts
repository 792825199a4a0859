/**
 * `npm run bench:translation`: what translating a stream costs against handing on a native one of the
 * same account, for each pair of dialects, in one run: processor time a frame in the middle of streams
 * that send one frame per write, and the rate of short streams with all frames in one, where what a
 * stream costs at its beginning and end counts too. `-- chat messages` takes only these account
 * dialects.
 */

import { runBench, printLine } from '../run-bench.ts'
import { dialectNames, frameCounts, type DialectName } from './dialects.ts'
import { coalesced, perWrite } from './measures.ts'
import { openStage, type Stage } from './stage.ts'
import { median } from '../median.ts'

const slowRounds = { warmup: 1, counted: 3 }
const fastRounds = { warmup: 1, counted: 7 }
/** At most so many microseconds of processor time more for a frame, one frame per write. */
const mostAdded = 1.5
/** At least so much of the native rate, coalesced. */
const leastRate = 0.15

await runBench(async () => {
  const asked = process.argv.slice(2)
  const known: readonly string[] = dialectNames
  const unknown = asked.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')} (${known.join(', ')})`)
  const named = dialectNames.filter((name) => asked.includes(name))
  const accounts = named.length === 0 ? dialectNames : named
  const stage = await openStage()
  let missed = 0
  for (const account of accounts) {
    missed += await comparePerWrite(stage, account)
    missed += await compareCoalesced(stage, account)
  }
  printLine(missed === 0 ? 'met' : `MISSED by ${missed} pairs`)
  if (missed > 0) process.exitCode = 1
})

/** Returns how many pairs miss. */
async function comparePerWrite(stage: Stage, account: DialectName): Promise<number> {
  const native: number[] = []
  const added = new Map<DialectName, number[]>(others(account).map((client) => [client, []]))
  for (let round = -slowRounds.warmup; round < slowRounds.counted; round++) {
    for (const [client, samples] of added) {
      const seen = await perWrite(stage, client, account)
      if (round < 0) continue
      native.push(...seen.native)
      samples.push(...seen.added)
    }
  }
  const frame = `native ${median(native).toFixed(1)} us a frame`
  printLine(`${account} account, one frame per write: ${frame}`)
  return missesAmong(added, account, (samples) => {
    const more = median(samples)
    return { isMet: more <= mostAdded, figures: `${more.toFixed(2).padStart(6)} us a frame more` }
  })
}

function others(account: DialectName): DialectName[] {
  return dialectNames.filter((name) => name !== account)
}

async function compareCoalesced(stage: Stage, account: DialectName): Promise<number> {
  const taken = await takeTurns((client) => coalesced(stage, client, account))
  const native = median(taken.get(account) ?? [])
  const frames = frameCounts.coalesced
  printLine(
    `${account} account, ${frames} frames in one write: native ${native.toFixed(0)} us a stream`,
  )
  return missesAmong(taken, account, (samples) => {
    const micros = median(samples)
    // What a core does in a second, whether or not the driving side kept it busy.
    const share = native / micros
    const more = `${(micros - native).toFixed(0).padStart(6)} us a stream more`
    return { isMet: share >= leastRate, figures: `${more}, ${share.toFixed(2)} of the rate` }
  })
}

/** Takes a sample of every client in turn, several times. */
async function takeTurns<Sample>(
  take: (client: DialectName) => Promise<Sample>,
): Promise<Map<DialectName, Sample[]>> {
  const taken = new Map(dialectNames.map((client) => [client, [] as Sample[]]))
  for (let round = -fastRounds.warmup; round < fastRounds.counted; round++) {
    for (const [client, samples] of taken) {
      const sample = await take(client)
      if (round >= 0) samples.push(sample)
    }
  }
  return taken
}

/** Prints a line for every client of another dialect, and counts those that miss. */
function missesAmong<Sample>(
  taken: ReadonlyMap<DialectName, readonly Sample[]>,
  account: DialectName,
  judge: (samples: readonly Sample[]) => { isMet: boolean; figures: string },
): number {
  let missed = 0
  for (const [client, samples] of taken) {
    if (client === account) continue
    const { isMet, figures } = judge(samples)
    if (!isMet) missed++
    printLine(`  ${client.padEnd(10)}${figures}${isMet ? '' : '  MISSED'}`)
  }
  return missed
}
