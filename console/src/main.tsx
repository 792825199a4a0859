import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import '../styles/fonts.css'
import '../styles/tokens.css'
import '../styles/base.css'
import { consoleUrl } from './api/base.ts'
import { App } from './app/App.tsx'
import { showTheme } from './app/theme.ts'

// The browser reads it again on each page: relative, it would be elsewhere.
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
if (icon) icon.href = new URL('icon.svg', consoleUrl).href
showTheme()
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
