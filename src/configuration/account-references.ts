import type { z } from 'zod'

import type { AccountSetting } from '../contract/account.ts'
import {
  type ReferenceContext,
  passwordOf,
  resolveAuthorities,
  resolveCertificate,
  resolveProxy,
} from './account-connection.ts'
import { resolveHeaders } from './account-headers.ts'
import type { accountSchema } from './account-schema.ts'
import { defined } from '../lib/json/object.ts'

/** The fields of an account that may name variables and files, with what is there. */
export type ResolvedFields = Pick<
  AccountSetting,
  'headers' | 'secrets' | 'proxy' | 'ca' | 'clientCertificate'
>

type Written = Partial<z.output<typeof accountSchema>>

/** Reads what the fields of an account name, and checks it. Adds problems, none of which repeats a secret. */
export function resolveReferences(written: Written, context: ReferenceContext): ResolvedFields {
  const { path, environment, problems } = context
  const found =
    written.headers && resolveHeaders(written.headers, `${path}.headers`, environment, problems)
  const proxy = written.proxy === undefined ? undefined : resolveProxy(written.proxy, context)
  const secrets = [...(found?.secrets ?? []), ...passwordOf(proxy)]
  return defined({
    headers: found?.headers,
    secrets: secrets.length > 0 ? secrets : undefined,
    proxy,
    ca: written.ca === undefined ? undefined : resolveAuthorities(written.ca, context),
    clientCertificate:
      written.clientCertificate && resolveCertificate(written.clientCertificate, context),
  })
}
