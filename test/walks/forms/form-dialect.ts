import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call } from '../../../src/contract/call.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { bearer } from '../../../src/kit/credential.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'

/** Where clients of the dialect below send their forms, and where its accounts take them. */
export const formsPath = '/v1/forms'

export interface FormsOptions {
  /** The account gets the form also when the client has left. */
  readonly finishWithoutClient?: boolean
}

/** The smallest dialect whose requests are forms: the model's name in, what the account says out. */
export function formsPlugin(options: FormsOptions = {}): GatewayPlugin {
  return definePlugin({ name: 'forms', dialects: [formsDialect(options)] })
}

const formsDialect = (options: FormsOptions) =>
  defineDialect({
    id: 'forms',
    credential: bearer,
    error: errorEnvelope,
    upstream: {
      base: 'versioned',
      providers: { forms: {} },
      headers: ({ credential }) => ({ authorization: `Bearer ${credential}` }),
    },
    operations: [
      {
        id: 'forms.create',
        method: 'POST',
        paths: [formsPath],
        auth: 'key',
        body: 'form',
        summary: 'Takes a form.',
        capability: 'forms',
        understand: (_exchange, body) => ({ ...understand(body), ...options }),
        forward: {
          target: () => ({ path: formsPath }),
          observer() {
            throw new Error('Forms are not answered with streams.')
          },
          outcome: () => ({ status: 'completed', fault: 'none' }),
        },
      },
    ],
  })

function understand(body: RequestBody): Call {
  const { form, json, members } = body
  const model = form ? form.text('model') : json['model']
  if (typeof model !== 'string') {
    throw new GatewayError('missing_required_parameter', '`model` is required.', { param: 'model' })
  }
  const modelAt = form ? form.parts.find(({ name }) => name === 'model') : members.get('model')
  return { model, modelAt, stream: false, refersTo: [], edits: [], losses: [] }
}
