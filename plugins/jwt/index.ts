import { errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { compilePatterns } from '../../src/accounts/patterns.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import type { Caller } from '../../src/contract/request.ts'
import { type IssuerKeys, issuerKeys } from './issuer-keys.ts'
import { reasonFor, refusalFor, type RefusalReason } from './refusals.ts'
import { isObject } from '../../src/lib/json/object.ts'

const url = z
  .url({ protocol: /^https?$/, error: 'is no URL of http or https' })
  .meta({ examples: ['https://login.example.com/.well-known/jwks.json'] })

/** The options. */
export const options = z.strictObject({
  /** The `iss` of the tokens. */
  issuer: z.string().min(1),
  /** The `aud` of the tokens: one of them has to be in it. */
  audience: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .meta({ fix: 'write audience: the aud of the tokens, or a list of such values' }),
  /** Where the issuer publishes its keys (JWKS, RFC 7517). */
  jwks: url,
  /** The algorithms of signatures that are accepted. */
  algorithms: z
    .array(
      z.enum([
        'RS256',
        'RS384',
        'RS512',
        'PS256',
        'PS384',
        'PS512',
        'ES256',
        'ES384',
        'ES512',
        'EdDSA',
        'Ed25519',
      ]),
    )
    .min(1)
    .default(['RS256', 'ES256', 'EdDSA']),
  /** The claim that names the caller, with dots for members of objects. Its calls have the key id `@jwt:<value>`. */
  subject: z.string().min(1).default('sub'),
  /** The claim with the models that the caller may use: a list, or names with spaces between them. */
  modelsClaim: z.string().min(1).optional(),
  /** The models for tokens without `modelsClaim`: names and patterns. */
  models: z.array(z.string().min(1)).default([]),
  /** How far the clocks of the issuer and of this machine may differ, in seconds. */
  clockToleranceSeconds: z.int().min(0).max(300).default(30),
})

/** In characters. A longer credential is no token. */
const longestToken = 16_384

/** A name that logs can show. */
const subjectForm = /^[^\p{C}\s]{1,200}$/u

/** Ids of API keys begin with a letter or digit: no key can have the id of a token's caller. */
const callerPrefix = '@jwt:'

const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Identifies callers by signed tokens (JWT, RFC 7519), in the header where clients send API keys. A credential
 * without the form of a token is left to the next plugin, such as the gateway's own keys.
 */
export default function jwt(
  given: z.input<typeof options>,
  keys: IssuerKeys = issuerKeys(given.jwks),
): GatewayPlugin {
  const settings = options.parse(given)
  const { issuer, audience, algorithms, clockToleranceSeconds } = settings
  const refused = new WeakMap<object, RefusalReason>()

  async function callerOf(token: string, exchange: object): Promise<Caller> {
    const checks = { issuer, audience, algorithms, clockTolerance: clockToleranceSeconds }
    try {
      // A token that never expires cannot be taken back.
      const required = { ...checks, requiredClaims: ['exp'] }
      const { payload } = await jwtVerify(token, keys, required)
      return toCaller(payload)
    } catch (error) {
      const reason = reasonFor(error)
      refused.set(exchange, reason)
      const expired = error instanceof errors.JWTExpired ? keyIdOf(error.payload) : undefined
      throw refusalFor(reason, error, expired)
    }
  }

  function toCaller(payload: JWTPayload): Caller {
    const keyId = keyIdOf(payload)
    if (keyId === undefined) {
      throw new errors.JWTClaimValidationFailed('The subject cannot name a caller.', payload, 'sub')
    }
    const models = modelsOf(payload, settings)
    return { keyId, models, mayUse: compilePatterns(models) }
  }

  /** `undefined` for a subject that cannot name a caller. */
  function keyIdOf(payload: JWTPayload): string | undefined {
    const subject = claimAt(payload, settings.subject)
    const isName = typeof subject === 'string' && subjectForm.test(subject)
    return isName ? callerPrefix + subject : undefined
  }

  return definePlugin({
    name: 'jwt',
    onStart({ log }) {
      keys.health.log = log
    },
    probes: { keys: () => keys.health.state() },
    onAuthenticate({ exchange, credential }) {
      if (credential === undefined || credential.length > longestToken) return undefined
      return tokenForm.test(credential) ? callerOf(credential, exchange) : undefined
    },
    onAccessLog({ exchange }) {
      const reason = refused.get(exchange)
      return reason && { refused: reason }
    },
  })
}

/**
 * The value of a claim: `sub`, or `realm_access.roles` for a member of an object. A claim may have dots in its
 * name.
 */
function claimAt(payload: JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path]
  let value: unknown = payload
  for (const name of path.split('.')) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** Where the models of a token are. */
interface ModelsSource {
  readonly modelsClaim?: string | undefined
  readonly models: readonly string[]
}

/** The models that a token allows. A claim of another form than a list or a text allows none. */
function modelsOf(payload: JWTPayload, { modelsClaim, models }: ModelsSource): readonly string[] {
  const claimed = modelsClaim === undefined ? undefined : claimAt(payload, modelsClaim)
  if (claimed === undefined) return models
  const names = typeof claimed === 'string' ? claimed.split(' ') : claimed
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string' && name !== '') : []
}
