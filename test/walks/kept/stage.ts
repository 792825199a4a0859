import type OpenAI from 'openai-7'

import { allGrounds, type Ground } from '../chaining/grounds.ts'
import { type Changes, type Stage, startStage } from '../chaining/stage.ts'
import { type OpenAIVersion, openaiVersions } from '../sdk/openai.ts'

/** What the accounts speak, none of which has responses that can be asked for again. */
export const foreign = ['chat', 'messages', 'generate'] as const
export type Foreign = (typeof foreign)[number]

/** For what does not depend on the SDK. */
export const newest = openaiVersions.at(-1) as OpenAIVersion

export interface KeptGround extends Ground {
  readonly speaks: Foreign
}

/** Every store with a dialect of accounts; `npm run test:heavy` has all dialects in memory. Call it at the top of a test file. */
export function keptGrounds(): KeptGround[] {
  const dialectsOf: Readonly<Record<string, readonly Foreign[]>> = {
    'memory, openai 7': foreign,
    'memory, openai 4': ['chat'],
    'file, openai 7': ['messages'],
    'Redis, openai 7': ['generate'],
  }
  return allGrounds().flatMap((ground) =>
    (dialectsOf[ground.name] ?? foreign).map((speaks) => ({
      ...ground,
      name: `${ground.name}, ${speaks}`,
      speaks,
    })),
  )
}

/** Two accounts that can be told apart and speak nothing but `speaks`; `a` is asked first. */
export async function startKept(
  speaks: Foreign,
  open?: Ground['open'],
  changes: Changes = {},
): Promise<Stage> {
  const stage = await startStage(open, speaking(speaks, changes))
  const configure = stage.configure.bind(stage)
  stage.configure = (changed) => configure(speaking(speaks, changed))
  return stage
}

function speaking(speaks: Foreign, changes: Changes): Changes {
  const [a, b] = (['a', 'b'] as const).map((id) =>
    id in changes && !changes[id] ? undefined : { speaks: [speaks], ...changes[id] },
  )
  return { a, b }
}

/** What the account last asked was told, as text. */
export function lastTold({ sandbox }: Pick<Stage, 'sandbox'>): string {
  return sandbox.requests.at(-1)?.body.toString() ?? ''
}

/** Which of these words the account last asked was told, in the order in which it was. */
export function wordsTold(stage: Pick<Stage, 'sandbox'>, ...words: string[]): string[] {
  const told = lastTold(stage)
  return words
    .filter((word) => told.includes(word))
    .sort((left, right) => told.indexOf(left) - told.indexOf(right))
}

/** What the items of a list say, with who says it. */
export function saidIn(items: readonly object[]): string[] {
  return items.map((item) => {
    const { role, content, type } = item as OpenAI.Responses.ResponseOutputMessage
    const [first] = content ?? []
    return role ? `${role}: ${first && 'text' in first ? first.text : ''}` : type
  })
}
