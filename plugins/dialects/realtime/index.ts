import type { EphemeralKeys } from '../../../src/accounts/ephemeral-keys.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { firstCredential } from '../../../src/kit/credential.ts'
import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { createSecret } from './client-secrets.ts'
import { connect, connectId } from './connect.ts'
import { protocolKey } from './protocols.ts'
import { type Turns, respond } from './turns.ts'

/** The parts that the plugin needs. */
interface RealtimeParts {
  readonly ephemeral: EphemeralKeys
  /** Milliseconds since 1970. Default: the system clock. */
  readonly now?: (() => number) | undefined
}

/** Returns the plugin that serves `/v1/realtime` and `POST /v1/realtime/client_secrets`. */
export function realtime({ ephemeral, now = Date.now }: RealtimeParts): GatewayPlugin {
  const turns: Turns = new Map()
  const dialect = defineDialect({
    id: 'realtime',
    title: 'Realtime API',
    ...openAiEndpoint,
    credential: (request) => firstCredential(request, [openAiEndpoint.credential, protocolKey]),
    operations: [connect({ ephemeral, turns }), createSecret({ ephemeral, now }), respond(turns)],
  })
  return definePlugin({
    name: 'realtime',
    dialects: [dialect],
    onAuthenticate({ exchange, credential }) {
      if (credential === undefined) return undefined
      const { operation } = exchange
      if (operation.id === connectId) return ephemeral.find(credential)
      const turn = operation.overSocket ? turns.get(credential) : undefined
      return turn && ephemeral.callerNow(turn.owner.caller)
    },
  })
}
