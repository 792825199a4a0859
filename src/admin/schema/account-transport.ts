import { type CertificateView, type TransportView, transportOf } from '../accounts/transport.ts'
import type { AccountView } from '../accounts/views.ts'
import type { AdminBuilder } from '../builder.ts'

const authScopes = { viewer: true }

/** Adds `Account.transport`: how requests are sent to an account. */
export function addAccountTransport(builder: AdminBuilder): void {
  const transport = addTransport(builder)
  builder.objectField('Account' as never, 'transport', (t) =>
    t.field({
      type: transport,
      nullable: true,
      description: 'How its requests are sent. Null: no call can use it.',
      authScopes,
      resolve: (view) => {
        const { account } = view as AccountView
        return account && transportOf(account)
      },
    }),
  )
}

function addTransport(builder: AdminBuilder) {
  const certificate = builder.objectRef<CertificateView>('Certificate').implement({
    description: 'What is known of a certificate.',
    authScopes,
    fields: (t) => ({
      subject: t.exposeString('subject', { description: 'Its common name, if it has one.' }),
      expiresAt: t.field({ type: 'DateTime', resolve: ({ expiresAt }) => expiresAt }),
    }),
  })
  return builder.objectRef<TransportView>('AccountTransport').implement({
    description: 'How requests are sent to an account. It has no value of a header and no key.',
    authScopes,
    fields: (t) => ({
      headers: t.stringList({
        description: 'The names of the headers that each request carries.',
        resolve: ({ headers }) => [...headers],
      }),
      timeouts: t.field({
        type: 'JSON',
        description: 'Its own deadlines in milliseconds, by name as in the configuration.',
        resolve: ({ timeouts }) => timeouts,
      }),
      maxConcurrent: t.exposeInt('maxConcurrent', {
        nullable: true,
        description: 'The most calls at once in each process. Null: there is no limit.',
      }),
      proxy: t.exposeString('proxy', {
        nullable: true,
        description:
          'Host and port of its own proxy; `none`: it goes without one. Null: the environment decides.',
      }),
      authorities: t.field({
        type: [certificate],
        description: 'Certificate authorities besides the authorities of the system; at most 200.',
        resolve: ({ authorities }) => authorities.slice(0, mostAuthorities),
      }),
      clientCertificate: t.field({
        type: certificate,
        nullable: true,
        description: 'The certificate of the gateway for the account.',
        resolve: ({ clientCertificate }) => clientCertificate,
      }),
    }),
  })
}

const mostAuthorities = 200
