import { RemoteFailure } from './failure.ts'

/**
 * Checks the form of a URL before its host is resolved. It does not check the address: `dial` checks
 * the one that it connects to, and parsing the URL has normalized unusual spellings of addresses.
 * Throws `RemoteFailure`.
 */
export function checkTarget(url: URL | null, allowHttp: boolean): asserts url is URL {
  if (url === null) throw new RemoteFailure('it is not a valid URL')
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new RemoteFailure(`its URL must be ${allowHttp ? 'http or https' : 'https'}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new RemoteFailure('its URL must not contain credentials')
  }
}
