/** The operations with which GraphiQL opens, one in each tab: the questions that operators ask. */
export const openingQueries: readonly string[] = [
  `# Who am I, and what is running?
query Gateway {
  viewer { id role expiresAt }
  gateway { version ready draining processes { id } configuration { hash loadedAt } }
}
`,
  `# Which accounts are there, and why does one get no calls?
query Accounts {
  accounts(first: 20) {
    edges { node { id provider enabled state stateReason inFlight exclusions { kind reason until } } }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  `# Who serves which model?
query Models {
  models(first: 10) { edges { node { name kind accounts(first: 5) { edges { node { accountId upstreamModel } } } } } }
}
`,
  `# What runs now?
query InFlight {
  exchanges { id ageMs model accountId keyId dialect stream firstOutputMs attemptCount }
}
`,
  `# What ended, and how?
query Recent {
  recent(first: 20) {
    edges { node { id endedAt status end error model accountId keyId attemptCount durationMs inputTokens outputTokens } }
  }
}
`,
  `# Where would a call go? Name a key and a model.
query Explain {
  explain(input: { keyId: "bootstrap", dialect: "chat", model: "sandbox/echo" }) {
    resolvedModel rule chosen { accountId } excluded { accountId reason until } answer { status code message }
  }
}
`,
  `# Which keys are there?
query Keys {
  keys(first: 20) { edges { node { id state stateReason expiresAt lastUsedAt models team } } }
}
`,
  `# Which account owns the responses of a key, and until when?
query Bindings {
  bindings(first: 20) { edges { node { id keyId accountId kind model expiresAt } } }
}
`,
  `# Who did what?
query Audit {
  audit(first: 20) { edges { node { at action actor { kind id } target { type id } result reason message } } }
}
`,
  `# What happens? Each event is added to the list on the right.
subscription Live {
  live(topics: [EXCHANGES, ACCOUNTS, CIRCUITS, CONFIGURATION, AUDIT]) {
    __typename
    ... on ExchangeBegan { exchange { id model keyId } }
    ... on ExchangeEnded { exchange { id model accountId status end durationMs } }
    ... on AuditRecorded { entry { action target { type id } } }
  }
}
`,
]
