import type { z } from 'zod'

import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { mapTexts } from '../../src/kit/request-texts.ts'
import { runInTurns } from '../../src/lib/turns.ts'
import { guardBody, textsIn } from './guard-body.ts'
import { guardReply } from './guard-reply.ts'
import { newTexts } from './new-texts.ts'
import { Moderation } from './moderation.ts'
import { options } from './options.ts'
import { ReplyGuard } from './reply-guard.ts'
import { Rules } from './rules.ts'

export { options } from './options.ts'

/**
 * Looks at the texts of requests and replies: patterns refuse or mask them, and a moderation service is asked. A
 * request is looked at before an account gets it, a reply before its client does. A text of a request that has no
 * neutral form cannot be masked, so that a match in it refuses the call.
 */
export default function guardrail(given: z.input<typeof options>): GatewayPlugin {
  const settings = options.parse(given)
  const inRequest = new Rules(settings.rules, 'request')
  const inReply = new Rules(settings.rules, 'reply')
  const moderation = settings.moderation && new Moderation(settings.moderation)
  const ofRequest = moderation?.isFor('request') ? moderation : undefined
  const ofReply = moderation?.isFor('reply') ? moderation : undefined

  /** The calls whose texts have been moderated in neutral form. */
  const moderated = new WeakSet<object>()
  /** The calls whose replies have events. */
  const mapped = new WeakSet<object>()

  return definePlugin({
    name: 'guardrail',
    ...(moderation && { probes: { moderation: () => moderation.state() } }),
    async onRequest({ exchange, request }) {
      const { client, isDryRun } = exchange
      const guarded = inRequest.areNone
        ? request
        : await runInTurns(
            inRequest.applyIn((change, changeParts) => mapTexts(request, change, changeParts)),
          )
      moderated.add(exchange)
      if (ofRequest && !isDryRun) {
        await ofRequest.assertHarmless(newTexts(guarded), 'request', client.signal)
      }
      return guarded
    },
    async onCall({ exchange, next }) {
      if (!inRequest.areNone) await guardBody(exchange, inRequest)
      if (ofRequest && !moderated.has(exchange)) {
        const texts = await textsIn(exchange)
        await ofRequest.assertHarmless(texts, 'request', exchange.client.signal)
      }
      const reply = await next()
      if (mapped.has(exchange) || (inReply.areNone && !ofReply)) return reply
      return guardReply(exchange, reply, inReply, ofReply)
    },
    onEvents({ exchange }) {
      if (inReply.areNone && !ofReply) return undefined
      mapped.add(exchange)
      return new ReplyGuard(inReply, ofReply)
    },
  })
}
