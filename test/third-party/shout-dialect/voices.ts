import { type Authenticated, defineOperation } from '../../../src/dialect-kit/index.ts'

/** The voices that the key may use, from what the gateway knows: no account is asked. */
export const voices = defineOperation({
  id: 'shout.voices',
  method: 'GET',
  paths: ['/shout/v1/voices', '/shout/v1/voices/{prefix}'],
  auth: 'key',
  summary: 'List the voices',
  serve(exchange) {
    const { caller, params, snapshot } = exchange as Authenticated
    const { prefix = '' } = params
    const names = snapshot.modelNames.filter(
      (name) => name.startsWith(prefix) && caller.mayUse(name),
    )
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ voices: names }),
    }
  },
})
