import { defineDialect, definePlugin, type GatewayPlugin } from '../../../src/index.ts'
import { megaphone } from './credential.ts'
import { shoutError } from './errors.ts'
import { record } from './record.ts'
import { say } from './say.ts'
import { voices } from './voices.ts'

/** A dialect that no provider speaks yet, by somebody who knows of the gateway what it exports. */
export const shoutDialect = defineDialect({
  id: 'shout',
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
})

export function shout(): GatewayPlugin {
  return definePlugin({ name: 'shout', dialects: [shoutDialect] })
}
