import { type AccountDialect } from '../../../src/contract/dialect-info.ts'
import { defineAccountDialect } from '../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { eventStream } from '../../../src/kit/framing/event-stream.ts'
import { converseCodec } from './codec/index.ts'
import { converseId } from './codec/signatures.ts'
import { converseCounting } from './count.ts'
import { subjectOfAwsRefusal } from '../shared/aws-refusals.ts'
import { statusOfConverseError } from './errors.ts'

/** Returns the dialect of the Converse API of Amazon Bedrock, which accounts speak (docs/wire/bedrock.md). */
export function converseDialect(): AccountDialect {
  return defineAccountDialect({
    id: converseId,
    title: 'Converse API',
    upstream: {
      base: 'bare',
      framing: eventStream,
      // Models may be ARNs, whose slashes are a part of their name.
      encodesSlashes: true,
      providers: { sandbox: { onlyIfNamed: true } },
      headers: ({ credential = '' }) => ({ authorization: `Bearer ${credential}` }),
      subjectOf: subjectOfAwsRefusal,
      statusOf: statusOfConverseError,
    },
    generate: { codec: converseCodec, counting: converseCounting },
  })
}

/** Returns the plugin with the dialect of the Converse API. */
export function converse(): GatewayPlugin {
  return definePlugin({ name: 'converse', dialects: [converseDialect()] })
}
