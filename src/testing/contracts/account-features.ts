import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'

import type { AccountCodec } from '../../contract/codec.ts'
import { GatewayError } from '../../contract/errors.ts'
import type { GenerateRequest } from '../../generate/request.ts'
import { type Feature, lackOf } from '../../generate/unsupported.ts'
import {
  featureRequests,
  plainRequests,
  requestOfTool,
  requestWith,
  settingRequests,
} from './codec-requests.ts'

/** A check of what a codec writes for accounts. */
interface AccountCodecCheck {
  readonly name: string
  run(codec: AccountCodec): void
}

const features = Object.keys(featureRequests) as Feature[]
const least = requestWith({})

/** What each codec for accounts writes: every request of the neutral model, with what it supports and no more. */
export const accountFeatures: readonly AccountCodecCheck[] = [
  {
    name: 'each feature that the codec supports is one, and named once',
    run({ supports }) {
      deepEqual([...new Set(supports)].toSorted(), supports.toSorted())
      deepEqual(
        supports.filter((feature) => !features.includes(feature)),
        [],
      )
    },
  },
  ...Object.entries(plainRequests).map(([name, sample]) => ({
    name: `${name} is written`,
    run(codec: AccountCodec) {
      const asked = requestWith(sample)
      const dropped: string[] = []
      const written = write(codec, asked, dropped)
      deepEqual(dropped, [], 'nothing of it is lost')
      for (const word of wordsOf(asked)) ok(written.includes(word), `${word} is written`)
    },
  })),
  ...Object.entries(settingRequests).map(([name, sample]) => ({
    name: `${name} is written, or is a loss`,
    run(codec: AccountCodec) {
      const dropped: string[] = []
      const written = write(codec, requestWith(sample), dropped)
      if (dropped.length > 0) return
      const { toolChoice: _, sampling: __, ...without } = sample
      notEqual(written, write(codec, requestWith(without)), 'what is not written is a loss')
    },
  })),
  ...features.map((feature) => ({
    name: `${feature} is written if it is supported, and not otherwise`,
    run: (codec: AccountCodec) => checkFeature(codec, feature),
  })),
  {
    name: 'a request is written the same way twice',
    run: (codec) => equal(write(codec, least), write(codec, least)),
  },
  {
    name: 'long names of tools are cut, and stay different',
    run(codec) {
      const [one, other] = ['a', 'b'].map((end) =>
        write(codec, requestOfTool(`${'lookup.'.repeat(20)}${end}`)),
      )
      notEqual(one, other)
    },
  },
]

function write(codec: AccountCodec, request: GenerateRequest, dropped: string[] = []): string {
  const drop = (field: string) => void dropped.push(field)
  const { path, query, body } = codec.encodeRequest(request, 'model-1', drop)
  ok(path.startsWith('/'), 'the path begins with a slash')
  return JSON.stringify({ path, query, body })
}

/** The words of a conversation that no form of a request does without, as JSON writes them. */
function wordsOf({ turns, tools }: GenerateRequest): string[] {
  const texts = turns.flatMap((turn) => {
    const parts =
      turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
    return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  })
  const words = [...texts, ...tools.map(({ name }) => name)]
  return words.map((word) => JSON.stringify(word).slice(1, -1))
}

/** Features that may be written although accounts do not support them, as in `codecContract`. */
const unchecked: ReadonlySet<Feature> = new Set([
  'assistant_prefill',
  'audio_url',
  'empty_message',
  'file_url',
  'image_url',
  'system_midway',
  'tool_result_stray',
])

function checkFeature(codec: AccountCodec, feature: Feature): void {
  const { with: sample, without = {} } = featureRequests[feature]
  const asked = requestWith({ ...sample, fields: { [feature]: feature } })
  const plain = write(codec, requestWith(without))
  const dropped: string[] = []
  if (!lackOf(codec, feature)) {
    notEqual(write(codec, asked, dropped), plain, `${feature} is written`)
    deepEqual(dropped, [], 'what is supported is no loss')
    return
  }
  // The codec says itself what it writes in place of the feature.
  if (unchecked.has(feature) || codec.lacks?.[feature]) return
  try {
    const written = write(codec, asked, dropped)
    if (dropped.length === 0) {
      equal(written, plain, `${feature} is written, so that \`supports\` has to name it`)
    }
  } catch (error) {
    // The codec may refuse what only native accounts serve.
    if (!GatewayError.isInstance(error)) throw error
  }
}
