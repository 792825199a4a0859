/** A stand-in for an identity provider: two tokens, and the introspection of RFC 7662. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const tokens = new Map([
  ['token-of-ada', { active: true, sub: 'ada', scope: 'models' }],
  ['token-of-bob', { active: true, sub: 'bob', scope: 'model:sandbox/echo' }],
])

const server = createServer((request, response) => {
  text(request).then(
    (form) => {
      const isGateway = request.headers.authorization === 'Bearer token-of-the-gateway'
      const token = new URLSearchParams(form).get('token') ?? ''
      const answer = tokens.get(token) ?? { active: false }
      response
        .writeHead(isGateway ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify(isGateway ? answer : { error: 'invalid_client' }))
    },
    // The request was cut off.
    () => response.destroy(),
  )
})

server.listen(8791, '127.0.0.1', () => {
  console.log('The authorization service listens on http://127.0.0.1:8791.')
})
