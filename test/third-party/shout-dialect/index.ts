import { defineDialect, definePlugin, type GatewayPlugin } from '../../../src/dialect-kit/index.ts'
import { shoutCodec } from './codec/index.ts'
import { megaphone } from './credential.ts'
import { shoutError } from './errors.ts'
import { record } from './record.ts'
import { say } from './say.ts'
import { voices } from './voices.ts'

/** A dialect that no provider speaks yet, written with the public names of the gateway alone. */
export const shoutDialect = defineDialect({
  id: 'shout',
  title: 'Shout API',
  credential: megaphone,
  requestIdHeader: 'x-shout-id',
  error: shoutError,
  upstream: {
    base: 'bare',
    providers: { megaphone: { baseUrl: 'https://api.megaphone.example' } },
    headers: ({ credential }) => ({
      'x-shout-edition': '3',
      ...(credential && { 'x-megaphone': credential }),
    }),
  },
  operations: [say, voices, record],
  generate: { codec: shoutCodec, produces: 'shout' },
})

/** The plugin that adds the dialect to a gateway. */
export function shout(): GatewayPlugin {
  return definePlugin({ name: 'shout', dialects: [shoutDialect] })
}
