import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import '../styles/fonts.css'
import '../styles/tokens.css'
import '../styles/base.css'
import { App } from './app/App.tsx'
import { showTheme } from './app/theme.ts'

showTheme()
createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
