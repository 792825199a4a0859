import { printLine } from '../run-bench.ts'
import { median } from '../median.ts'
import { type DialectName, dialectNames, frameCounts } from './dialects.ts'
import { coalesced, perWrite } from './measures.ts'
import { type Stage, openBothPaths } from './stage.ts'

const rounds = { warmup: 1, counted: 3 }

/**
 * Prints the gateway's processor time for translated streams with the fast path on and off, by turns:
 * for a stream with all frames in one write, and for a frame of a stream with one frame per write.
 */
export async function compareFastPath(accounts: readonly DialectName[]): Promise<void> {
  const stages = await openBothPaths()
  for (const account of accounts) {
    await compareStreams(stages, account)
    await compareFrames(stages, account)
  }
}

type Stages = Readonly<Record<'on' | 'off', Stage>>

async function compareStreams({ on, off }: Stages, account: DialectName): Promise<void> {
  const native: number[] = []
  const clients = dialectNames.filter((name) => name !== account)
  const samples = clients.map((client) => ({ client, on: [] as number[], off: [] as number[] }))
  for (let round = -rounds.warmup; round < rounds.counted; round++) {
    const micros = await coalesced(on, account, account)
    if (round >= 0) native.push(micros)
    for (const sample of samples) {
      const pair = [
        await coalesced(on, sample.client, account),
        await coalesced(off, sample.client, account),
      ] as const
      if (round < 0) continue
      sample.on.push(pair[0])
      sample.off.push(pair[1])
    }
  }
  const stream = `${frameCounts.coalesced} frames in one write`
  printLine(`${account} account, ${stream}: native ${median(native).toFixed(0)} us a stream`)
  for (const { client, ...micros } of samples) printPair(client, micros)
}

async function compareFrames({ on, off }: Stages, account: DialectName): Promise<void> {
  const client: DialectName = account === 'chat' ? 'messages' : 'chat'
  const native: number[] = []
  const added: Record<keyof Stages, number[]> = { on: [], off: [] }
  for (let round = -rounds.warmup; round < rounds.counted; round++) {
    const samples = {
      on: await perWrite(on, client, account),
      off: await perWrite(off, client, account),
    }
    if (round < 0) continue
    native.push(...samples.on.native, ...samples.off.native)
    added.on.push(...samples.on.added)
    added.off.push(...samples.off.added)
  }
  printLine(
    `${account} account, one frame per write: native ${median(native).toFixed(1)} us a frame`,
  )
  const [less, more] = [median(added.on).toFixed(2), median(added.off).toFixed(2)]
  printLine(`  ${client.padEnd(10)}on ${less}, off ${more} us a frame more`)
}

function printPair(
  client: DialectName,
  micros: Readonly<Record<keyof Stages, readonly number[]>>,
): void {
  const [on, off] = [median(micros.on), median(micros.off)]
  const figures = `on ${on.toFixed(0)}, off ${off.toFixed(0)} us a stream`
  printLine(`  ${client.padEnd(10)}${figures}, ${(off / on).toFixed(1)} times`)
}
