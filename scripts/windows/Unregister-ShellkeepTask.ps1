<#
.SYNOPSIS
Takes back what Register-ShellkeepTask.ps1 did: stops the task and removes it.
.DESCRIPTION
If the server goes on inside WSL, "shellkeep stop" there ends it.
.EXAMPLE
powershell -ExecutionPolicy Bypass -File Unregister-ShellkeepTask.ps1 -WhatIf
#>
[CmdletBinding(SupportsShouldProcess)]
param(
    # The name of the task.
    [string] $TaskName = 'shellkeep'
)
$ErrorActionPreference = 'Stop'

if (-not (Get-ScheduledTask -TaskName $TaskName -ErrorAction SilentlyContinue)) {
    Write-Output "there is no task '$TaskName'"
    exit 0
}
if ($PSCmdlet.ShouldProcess("task '$TaskName'", 'stop and remove')) {
    Stop-ScheduledTask -TaskName $TaskName
    Unregister-ScheduledTask -TaskName $TaskName -Confirm:$false
    Write-Output "removed the task '$TaskName'"
}
