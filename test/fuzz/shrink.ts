import { type Case, chunksOf, type StreamCase } from './case.ts'
import { complaintsOf } from './judge.ts'

/** A case with fewer frames, of which the same can be complained. */
export async function shrink(one: Case): Promise<Case> {
  if (one.kind === 'body') return one
  const complaint = kindOf((await complaintsOf(one))[0])
  const fails = async (frames: readonly Buffer[], chunk = 0) =>
    kindOf((await complaintsOf({ ...one, frames, chunk }))[0]) === complaint

  const chunk = (await fails(one.frames)) ? 0 : one.chunk
  let frames = one.frames
  for (let size = Math.ceil(frames.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < frames.length;) {
      const fewer = frames.toSpliced(at, size)
      if (await fails(fewer, chunk)) frames = fewer
      else at += size
    }
  }
  return { ...one, frames, chunk }
}

/** A case as it can be read, with how to run it again. */
export function printed(one: Case, seed: number): string {
  const { account, client, number } = one
  const again = `npm run fuzz -- --seed ${seed} --account ${account} --client ${client} --case ${number}`
  const wire = one.kind === 'body' ? [JSON.stringify(one.body)] : printedFrames(one)
  return [`${account} account, ${client} client, ${one.kind} ${number}`, again, ...wire].join('\n')
}

function printedFrames(one: StreamCase): string[] {
  const chunks = one.chunk === 0 ? one.frames : chunksOf(one)
  return chunks.map((chunk) => `  ${shortened(JSON.stringify(chunk.toString('latin1')))}`)
}

function shortened(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 900)} ... ${text.slice(-80)}` : text
}

/** A complaint without its numbers. */
function kindOf(complaint: string | undefined): string | undefined {
  return complaint?.replaceAll(/\d+/g, '').slice(0, 60)
}
