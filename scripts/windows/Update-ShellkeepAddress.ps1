<#
.SYNOPSIS
Puts the present address of a WSL system into the configurations of VS Code and Cursor.
.DESCRIPTION
Finds the configurations and hands them to refresh-address.mjs, which runs inside WSL. See README.md in this folder: most people need none of this.
.EXAMPLE
powershell -ExecutionPolicy Bypass -File Update-ShellkeepAddress.ps1 -Distribution Ubuntu -WhatIf
#>
[CmdletBinding(SupportsShouldProcess)]
param(
    # The WSL system in which shellkeep serve runs, as "wsl --list" names it.
    [Parameter(Mandatory)] [string] $Distribution,
    # The entry in the configurations.
    [string] $Entry = 'shellkeep',
    # The address to put in; found out when it is not given.
    [string] $Address,
    # Configurations instead of the usual ones.
    [string[]] $Path = @(
        "$env:APPDATA\Code\User\mcp.json",
        "$env:APPDATA\Code - Insiders\User\mcp.json",
        "$env:USERPROFILE\.cursor\mcp.json"
    )
)
$ErrorActionPreference = 'Stop'

function ConvertTo-WslPath([string] $WindowsPath) {
    $converted = wsl.exe -d $Distribution --exec wslpath -u $WindowsPath
    if ($LASTEXITCODE -ne 0) { throw "WSL system '$Distribution' has no path for $WindowsPath" }
    $converted
}

$found = @($Path | Where-Object { Test-Path -LiteralPath $_ })
if ($found.Count -eq 0) { throw "none of these is there: $($Path -join ', ')" }
$arguments = @((ConvertTo-WslPath "$PSScriptRoot\refresh-address.mjs"), '--entry', $Entry)
if ($Address) { $arguments += @('--address', $Address) }
if ($WhatIfPreference) { $arguments += '--dry-run' }
$arguments += $found | ForEach-Object { ConvertTo-WslPath $_ }

# A login shell, since node may be there only where a profile says so. Without double quotes, which Windows PowerShell loses on the way.
wsl.exe -d $Distribution --exec bash -lc 'set -f; IFS=; exec node $@' node @arguments
exit $LASTEXITCODE
