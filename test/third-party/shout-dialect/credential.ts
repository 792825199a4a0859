import { bearer, type ClientRequest, firstCredential } from '../../../src/dialect-kit/index.ts'

/** `x-megaphone: <key>`, or what clients of other dialects send. */
export function megaphone(request: ClientRequest): string | undefined {
  return firstCredential(request, [ownHeader, bearer])
}

function ownHeader({ headers }: ClientRequest): string | undefined {
  const value = headers['x-megaphone']
  return typeof value === 'string' ? value : undefined
}
