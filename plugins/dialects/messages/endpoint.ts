import type { Dialect } from '../../../src/contract/dialect.ts'
import type { Upstream } from '../../../src/contract/dialect-info.ts'
import { messagesDialect } from './index.ts'

/** The dialects of Anthropic's endpoints beside messages: accounts of `provider: 'anthropic'` speak them. */
export function messagesEndpoint() {
  const { claims, credential, credentialAs, requestIdHeader, rateHeaders, error, upstream } =
    messagesDialect()
  const { modelList: _modelList, ...accounts } = upstream as Upstream
  return {
    ...(claims && { claims }),
    credential,
    ...(credentialAs && { credentialAs }),
    ...(requestIdHeader !== undefined && { requestIdHeader }),
    ...(rateHeaders && { rateHeaders }),
    error,
    upstream: accounts,
  } satisfies Partial<Dialect>
}
